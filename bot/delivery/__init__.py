"""Every message of every table, brought to the newest view with few requests.

In reading order:

- ``courier``     single requests to Discord, its errors sorted by what to do about them
- ``slots``       the messages a table has, and what each should look like now
- ``desk``        what is known of a table's messages
- ``messages``    single messages: made, edited, sent again, replaced, deleted
- ``reconciler``  makes them so: skips, coalesces, answers clicks, retries, replaces what was deleted
"""
