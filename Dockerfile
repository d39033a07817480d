FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --omit=optional --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts

FROM node:24-bookworm-slim
# git keeps the worktrees, bubblewrap is the sandbox of the agent's commands, ripgrep searches.
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git ripgrep \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json LICENSE ./
COPY schema schema
COPY policy policy
COPY examples examples
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
RUN ln -s /app/dist/client.js /usr/local/bin/holdfast && mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps
VOLUME /data
CMD ["holdfast", "up"]
