# syntax=docker/dockerfile:1
# The image holds everything that the product loads: at its start it needs no network but its database, Redis and peers.
FROM denoland/deno:bin-2.9.5 AS deno

FROM node:24.21.0-bookworm-slim AS sbom
WORKDIR /sbom
COPY package.json package-lock.json ./
# `npm sbom --omit dev` also leaves out packages that are peers of development packages.
RUN npm pkg delete devDependencies && npm install --package-lock-only --no-audit --no-fund --silent
RUN npm sbom --sbom-format cyclonedx --package-lock-only > sbom.cdx.json

FROM debian:12.12-slim AS build
COPY --from=deno /deno /usr/local/bin/deno
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
ENV DENO_DIR=/build-dir DENO_NO_UPDATE_CHECK=1 CACHE_DIR=/app/cache
WORKDIR /app
COPY package.json deno.json ./
COPY docs/guide docs/guide
COPY drizzle drizzle
COPY xsl xsl
COPY src src
COPY workers workers
COPY ops/image ops/image
# The console is built here, where each process looks for it. No package of its build comes into the image.
RUN deno run -A ops/image/packages.ts build
RUN deno run --no-prompt -A src/processes/console_process.ts
RUN deno run -A ops/image/packages.ts serve
# Deno fetches every package that package.json names.
ENV DENO_DIR=/deno-dir
RUN deno cache src/main.ts src/edge.ts src/cli.ts workers/main.ts $(ls src/processes/*.ts | grep -v console_process) src/adapters/saxon/*_child.ts src/adapters/pglite/engine.ts src/adapters/pools/sqlite/process.ts
# No process reads source maps, type declarations, sources, fonts and builds of packages that it does not load.
RUN cd /deno-dir/npm/registry.npmjs.org \
  && find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && find echarts/*/ zrender/*/ -type f ! -name package.json ! -name echarts.esm.min.mjs ! -iname 'license*' ! -name NOTICE -delete \
  && find dejavu-fonts-ttf/*/ttf -type f ! -name DejaVuSans.ttf ! -name DejaVuSans-Bold.ttf ! -name DejaVuSansCondensed.ttf ! -name DejaVuSansCondensed-Bold.ttf -delete \
  && rm -rf zod/*/src @cantoo/pdf-lib/*/src
# The console is built into a private folder; the user of the product reads it.
RUN chmod -R a+rX /app /deno-dir
COPY --from=sbom /sbom/sbom.cdx.json ./

FROM debian:12.12-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/* \
  && useradd --create-home --uid 10001 passerelle && mkdir /data && chown passerelle /data
COPY --from=deno /deno /usr/local/bin/deno
# Root owns the code and its packages: the product cannot change them. It writes into /data only.
COPY --from=build /deno-dir /deno-dir
COPY --from=build /app /app
WORKDIR /app
USER passerelle
ARG BUILD_ID=
ENV BUILD_ID=$BUILD_ID
ENV DENO_DIR=/deno-dir DENO_NO_UPDATE_CHECK=1 CACHE_DIR=/app/cache DATA_DIR=/data HOST=0.0.0.0 PORT=8080
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["deno", "eval", "const { ok } = await fetch(`http://127.0.0.1:${Deno.env.get('PORT')}/api/healthz`); Deno.exit(ok ? 0 : 1)"]
CMD ["deno", "task", "-q", "web"]
