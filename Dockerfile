FROM node:20-bookworm-slim
RUN npm install --global deno@2.9.5 && useradd --create-home passerelle && mkdir /data && chown passerelle /data
WORKDIR /app
USER passerelle
COPY --chown=passerelle package.json package-lock.json deno.json ./
RUN deno install
COPY --chown=passerelle drizzle drizzle
COPY --chown=passerelle xsl xsl
COPY --chown=passerelle src src
COPY --chown=passerelle workers workers
ENV DATA_DIR=/data
EXPOSE 8080
CMD ["deno", "task", "-q", "web"]
