#!/bin/sh
# The namespace, and the search attributes by which Temporal's own lists show attempts; run again, it changes nothing.
set -eu
: "${TEMPORAL_ADDRESS:?}" "${TEMPORAL_NAMESPACE:?}"
until temporal operator cluster health >/dev/null 2>&1; do sleep 1; done
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 30d
until temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" \
  --name HoldfastTenant --type Keyword \
  --name HoldfastTask --type Keyword \
  --name HoldfastState --type Keyword \
  --name HoldfastKind --type Keyword; do sleep 1; done
