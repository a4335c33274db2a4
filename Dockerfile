# The site as an image: `docker build -t polity .`; compose.yaml says which processes it is started as.
FROM python:3.12-slim-trixie AS build
RUN apt-get update && apt-get install -y --no-install-recommends nodejs npm && rm -rf /var/lib/apt/lists/*
RUN pip install --no-cache-dir uv
WORKDIR /src
COPY . .
# the image is read-only: what is not compiled here would be compiled anew by each process
ENV UV_COMPILE_BYTECODE=1
RUN uv build --wheel --out-dir /dist
RUN uv venv /venv && uv pip install --python /venv/bin/python --require-hashes -r requirements.txt \
 && uv pip install --python /venv/bin/python --no-deps /dist/*.whl

FROM python:3.12-slim-trixie
# pg_dump, of the major version that compose.yaml names for the database
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client-17 && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --create-home --home-dir /home/polity polity && install -d -o polity -g polity -m 700 /data /backups
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH POLITY_HOME=/data POLITY_LOGS=json PYTHONDONTWRITEBYTECODE=1
USER polity
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD \
  python -c "import urllib.request as u; u.urlopen(u.Request('http://127.0.0.1:8000/healthz', headers={'Host': 'localhost'}), timeout=2)"
ENTRYPOINT ["polity"]
CMD ["web", "--host", "0.0.0.0", "--port", "8000"]
