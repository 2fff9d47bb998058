"""The API keeps what its OpenAPI document says, whatever it is sent: no answer is a fault of the server's."""

from __future__ import annotations

import schemathesis
from hypothesis import HealthCheck, settings
from starlette.testclient import TestClient

from attlas.server.application import openapi_document

schema = schemathesis.openapi.from_dict(openapi_document())


@schema.parametrize()
@settings(max_examples=4, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_route_keeps_its_schema(server: TestClient, case: schemathesis.Case) -> None:
    response = server.request(
        case.method,
        case.formatted_path,
        json=case.body if isinstance(case.body, dict | list) else None,
        params=case.query,
    )
    assert response.status_code < 500
    documented = case.operation.definition.raw["responses"]
    assert str(response.status_code) in documented, response.text
    if response.status_code >= 400 and case.method != "HEAD":
        assert list(response.json()) == ["message"]
