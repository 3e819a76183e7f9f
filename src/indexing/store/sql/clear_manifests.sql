DELETE FROM manifests
