# Parley's server. The root file system may be read-only: everything that is written goes to the volume /data.
#
#   docker build -t parley .
#   docker run --read-only --tmpfs /tmp -v parley:/data -p 127.0.0.1:3000:3000 --stop-timeout 30 -e CONSOLE_TOKEN=choose-one parley
#
# It may take 25 s to stop in order; without --stop-timeout, Docker kills it after 10.

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional packages bring Node 24 to machines that have an older one; this image is Node 24.
RUN npm ci --omit=dev --omit=optional

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
# Beyond loopback only health is served. CONSOLE_TOKEN, WORKSPACE_PUBLIC and METRICS_TOKEN open the rest, each for itself.
ENV HOST=0.0.0.0 PORT=3000 PARLEY_DATA=/data
ENV NODE_COMPILE_CACHE=/app/compiled
RUN mkdir /data /app/compiled && chown node:node /data /app/compiled
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY src ./src
COPY adapters ./adapters
USER node
# What Node compiles is kept in the image, for these flags and this user: each container starts as if it were not the first.
RUN set -e; for part in src/app src/embedded src/workspace-server adapters/console/console adapters/slack/slack adapters/discord/discord; do \
    node --max-semi-space-size=2 --liftoff-only --input-type=module -e "await import('/app/$part.ts')"; \
  done; node --max-semi-space-size=2 --liftoff-only src/parley.js help
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# As in package.json: with 4 MB for what is young, garbage is collected sooner and the server is 10 MB smaller at rest; and what
# strips the types at a first start, which is WebAssembly, is not compiled a second time for speed: another 10 MB.
CMD ["node", "--max-semi-space-size=2", "--liftoff-only", "src/parley.js", "start"]
