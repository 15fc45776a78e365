"""Compares recorded exchanges with Apple's description: app_store_contract.py DOCUMENT FOLDER

Accepted requests must match the schema of their body, without additional members. Requests that do
not match must have been rejected. Responses must match the schema of their status. Nulls are ignored,
because the service sends them although its description does not allow them.
"""

import collections
import copy
import glob
import json
import re
import sys

import jsonschema


def closed(schema):
    """Returns the schema without additional members in objects with listed members."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(part) for key, part in schema.items()}
    if "properties" in made and "additionalProperties" not in made:
        made["additionalProperties"] = False
    return made


def nullable(schema):
    """Returns the schema with OpenAPI's 'nullable' converted to JSON Schema."""
    if isinstance(schema, list):
        return [nullable(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: nullable(part) for key, part in schema.items() if key != "nullable"}
    if schema.get("nullable") is True:
        return {"anyOf": [made, {"type": "null"}]}
    return made


def without_nulls(value):
    if isinstance(value, dict):
        return {key: without_nulls(part) for key, part in value.items() if part is not None}
    if isinstance(value, list):
        return [without_nulls(part) for part in value]
    return value


def references(value):
    if isinstance(value, dict):
        for key, part in value.items():
            if key == "$ref":
                yield part.rsplit("/", 1)[1]
            yield from references(part)
    elif isinstance(value, list):
        for part in value:
            yield from references(part)


document = json.load(open(sys.argv[1]))
schemas = document["components"]["schemas"]


def kinds(value):
    """Yields the names of types for schemas."""
    if isinstance(value, dict):
        for kind, target in value.get("discriminator", {}).get("mapping", {}).items():
            yield target.rsplit("/", 1)[1], kind
        for part in value.values():
            yield from kinds(part)
    elif isinstance(value, list):
        for part in value:
            yield from kinds(part)


# An extract lacks some referenced schemas: only their types are known.
for name in set(references(document)) - set(schemas):
    known = sorted({kind for target, kind in kinds(document) if target == name})
    schemas[name] = {"properties": {"type": {"enum": known}}} if known else {}
responses = {"components": {"schemas": nullable(copy.deepcopy(schemas))}}
requests = {"components": {"schemas": nullable(closed(copy.deepcopy(schemas)))}}


def validator(root, schema):
    return jsonschema.Draft7Validator({**root, **nullable(schema)})


paths = [
    (re.compile(re.sub(r"\{\w+\}", r"[^/]+", re.escape(path).replace(r"\{", "{").replace(r"\}", "}")) + "$"), item)
    for path, item in document["paths"].items()
]


def operation(exchange):
    for pattern, item in paths:
        if pattern.match(exchange["path"]):
            return item.get(exchange["method"].lower())
    return None


counts = collections.Counter()
problems = []
for name in sorted(glob.glob(sys.argv[2] + "/*.json")):
    exchange = json.load(open(name))
    where = f"{exchange['method']} {exchange['path']} {exchange['status']}"
    response = json.loads(exchange["answer"]) if "answer" in exchange else None
    described = operation(exchange)
    if exchange["status"] >= 400:
        counts["rejections"] += 1
        for error in validator(responses, {"$ref": "#/components/schemas/ErrorResponse"}).iter_errors(without_nulls(response)):
            problems.append(f"{where}: {error.message} at {list(error.path)}")
    if described is None:
        counts["undocumented"] += 1
        continue
    is_accepted = exchange["status"] < 400
    body = described.get("requestBody")
    if body and (is_accepted or exchange["status"] in (400, 409, 422)):
        try:
            given = json.loads(exchange.get("request", ""))
        except (ValueError, RecursionError):
            given = None
        check = validator(requests, body["content"]["application/json"]["schema"])
        errors = list(check.iter_errors(given))
        counts["matching requests" if not errors else "requests that do not match"] += 1
        if errors and is_accepted:
            problems.append(f"{where}: accepted, but {errors[0].message} at {list(errors[0].path)}")
    if is_accepted and response is not None:
        counts["responses"] += 1
        content = described["responses"].get(str(exchange["status"]), {}).get("content")
        if not content:
            problems.append(f"{where}: an undocumented status")
            continue
        check = validator(responses, content["application/json"]["schema"])
        for error in check.iter_errors(without_nulls(response)):
            problems.append(f"{where}: {error.message[:200]} at {list(error.path)}")
for problem in sorted(set(problems))[:40]:
    print(problem)
print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
# The minimum if the tests ran.
if counts["responses"] < 300 or counts["requests that do not match"] < 15:
    print("too few exchanges were recorded")
    sys.exit(1)
sys.exit(1 if problems else 0)
