# syntax=docker/dockerfile:1
# All that the product loads is in the image: at its start it needs no network but its database, Redis and peers.
FROM denoland/deno:bin-2.9.5 AS deno

FROM debian:bookworm-slim AS build
COPY --from=deno /deno /usr/local/bin/deno
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
ENV DENO_DIR=/deno-dir DENO_NO_UPDATE_CHECK=1 CACHE_DIR=/app/cache
WORKDIR /app
COPY package.json package-lock.json deno.json ./
COPY drizzle drizzle
COPY xsl xsl
COPY src src
COPY workers workers
RUN deno cache src/main.ts src/edge.ts src/cli.ts workers/main.ts src/processes/*.ts src/adapters/saxon/*_child.js
# The console is built here, where each process looks for it.
RUN deno run --no-prompt -A src/processes/console_process.ts

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/* \
  && useradd --create-home --uid 10001 passerelle && mkdir /data && chown passerelle /data
COPY --from=deno /deno /usr/local/bin/deno
COPY --from=build --chown=passerelle /deno-dir /deno-dir
COPY --from=build --chown=passerelle /app /app
WORKDIR /app
USER passerelle
ENV DENO_DIR=/deno-dir DENO_NO_UPDATE_CHECK=1 CACHE_DIR=/app/cache DATA_DIR=/data HOST=0.0.0.0 PORT=8080
EXPOSE 8080
CMD ["deno", "task", "-q", "web"]
