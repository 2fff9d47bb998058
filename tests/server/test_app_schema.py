"""The API keeps what its OpenAPI document says, whatever it is sent: no answer is a fault of the server's."""

from __future__ import annotations

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import checks
from starlette.testclient import TestClient

from attlas.server.application import openapi_document

schema = schemathesis.openapi.from_dict(openapi_document())
KEPT = (
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
)


@schema.parametrize()
@settings(max_examples=4, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_route_keeps_its_schema(server: TestClient, case: schemathesis.Case) -> None:
    response = server.request(
        case.method,
        case.formatted_path,
        json=case.body if isinstance(case.body, dict | list) else None,
        params=case.query,
    )
    case.validate_response(response, checks=KEPT)
    if response.status_code >= 400 and case.method != "HEAD":
        assert list(response.json()) == ["message"]
