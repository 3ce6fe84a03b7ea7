"""What hosts install: the wheel, the pinned dependencies, the container, the service.

In reading order:

- ``installed``       the wheel, built and installed
- ``test_wheel``      it holds everything, and runs from any folder
- ``locked``          ``requirements.lock`` as data
- ``test_lock``       it fits ``pyproject.toml``, holds no address, and every part's licence is named
- ``test_unit``       services for systemd
- ``test_container``  ``Dockerfile``, ``compose.yaml`` and the workflows say what is true of the program
- ``test_hosting``    ``docs/hosting.md`` names every setting, command and complaint
- ``test_completion`` what a shell completes
"""
