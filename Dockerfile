# syntax=docker/dockerfile:1
# The bot as a container, for amd64 and arm64. docs/hosting.md says how to run it; compose.yaml does.

FROM python:3.13-slim-trixie AS build
RUN python -m venv /opt/diciassette
COPY requirements.lock /tmp/
RUN /opt/diciassette/bin/pip install --no-cache-dir --disable-pip-version-check --only-binary :all: --require-hashes -r /tmp/requirements.lock
COPY engine /opt/diciassette/program/engine
COPY bot /opt/diciassette/program/bot
COPY cogs /opt/diciassette/program/cogs
COPY local_discord /opt/diciassette/program/local_discord
COPY locales /opt/diciassette/program/locales
COPY LICENSE /opt/diciassette/program/
# What `pip install .` would do. That needs setuptools, which no hash pins.
RUN echo /opt/diciassette/program > "$(/opt/diciassette/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/diciassette.pth" \
 && printf '#!/opt/diciassette/bin/python\nfrom bot.cli.main import main\n\nmain()\n' > /opt/diciassette/bin/diciassette \
 && chmod 755 /opt/diciassette/bin/diciassette \
 && /opt/diciassette/bin/python -m compileall -q /opt/diciassette/program

FROM python:3.13-slim-trixie
LABEL org.opencontainers.image.title="diciassette" \
      org.opencontainers.image.description="17 and 12 Days of Christmas on Discord" \
      org.opencontainers.image.licenses="MIT AND Apache-2.0"
# Letters of most scripts for the names in pictures (docs/hosting.md), and what writes them from right to left.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends fonts-dejavu-core fonts-droid-fallback fonts-freefont-ttf libfribidi0 \
 && rm -rf /var/lib/apt/lists/*
RUN groupadd --gid 10017 diciassette \
 && useradd --uid 10017 --gid 10017 --no-create-home --home-dir /data --shell /usr/sbin/nologin diciassette \
 && install --directory --owner=10017 --group=10017 --mode=0700 /data
COPY --from=build /opt/diciassette /opt/diciassette
ENV PATH=/opt/diciassette/bin:/usr/local/bin:/usr/bin:/bin \
    PYTHONDONTWRITEBYTECODE=1 \
    STORE_URL=sqlite+aiosqlite:////data/tables.sqlite3 \
    METRICS_PORT=9017
USER 10017:10017
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["diciassette", "health"]
ENTRYPOINT ["diciassette"]
CMD ["run", "--discord"]
