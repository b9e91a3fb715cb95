#!/bin/sh
# Runs the parts, waits for them, joins them and prints the result.
kubectl apply -f part.yaml
kubectl wait --for=condition=complete --timeout=24h job/logz-part
kubectl apply -f join.yaml
kubectl wait --for=condition=complete --timeout=10m job/logz-join
kubectl logs job/logz-join
