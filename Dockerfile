# One image for every process: `pms web`, `pms worker`, `pms migrate`.
# To pin it: --build-arg PYTHON_IMAGE=python:3.11-slim-bookworm@sha256:… (docs/decisions/security.md).
ARG PYTHON_IMAGE=python:3.11-slim-bookworm
FROM ${PYTHON_IMAGE}

ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PMS_DATA_DIR=/data \
    PMS_HOST=0.0.0.0

# The libraries first: they change rarely, so the layer is kept from build to build.
WORKDIR /app
COPY requirements.txt ./
RUN python -m venv /venv && \
    pip install --no-cache-dir --no-deps --require-hashes -r requirements.txt

COPY . .
RUN pip install --no-cache-dir --no-deps --no-build-isolation --no-index --editable . && \
    useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin pms && \
    install --directory --owner=pms --mode=0750 /data

USER 10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=10s --start-period=30s CMD ["pms", "probe"]
CMD ["pms", "web"]
