import { describe, expect, it } from "vitest";
import * as claims from "../src/claims.js";
import * as durations from "../src/durations.js";
import * as identity from "../src/identity.js";
import * as root from "../src/index.js";
import * as inspect from "../src/inspect.js";
import * as logic from "../src/logic.js";
import * as mappings from "../src/mappings.js";
import * as model from "../src/model.js";
import * as schema from "../src/schema.js";
import * as zod from "../src/zod.js";

describe("@swl/definition", () => {
  it("exports these names per entry and no others", () => {
    expect(Object.keys(root).sort()).toEqual([
      "canonicalDefinition",
      "contractDigest",
      "defineWorkflow",
      "definitionDefaults",
      "definitionDigest",
      "isId",
      "isOutcomeName",
      "partNamed",
      "parts",
      "profileNamed",
      "profiles",
      "ranges",
      "readDefinition",
      "reservedOutcomes",
      "validate",
    ]);
    expect(Object.keys(model)).toEqual([]);
    expect(Object.keys(mappings).sort()).toEqual([
      "compileMapping",
      "evaluateMapping",
      "mappingRoots",
      "maxMappingDepth",
      "maxMappingNodes",
      "operatorProblem",
      "pathProblem",
    ]);
    expect(Object.keys(durations).sort()).toEqual([
      "maxDurationMs",
      "maxInstantMs",
      "minInstantMs",
      "parseDuration",
      "parseInstant",
    ]);
    expect(Object.keys(logic).sort()).toEqual([
      "compileLogic",
      "isTruthy",
      "logicFindings",
      "logicOperators",
      "maxLogicDepth",
      "maxLogicSteps",
    ]);
    expect(Object.keys(schema).sort()).toEqual(["compileSchema", "schemaDialect", "schemaFindings"]);
    expect(Object.keys(identity).sort()).toEqual([
      "canonicalDefinition",
      "contractDigest",
      "definitionDigest",
    ]);
    expect(Object.keys(inspect).sort()).toEqual([
      "boundedVisits",
      "compare",
      "deadRoutes",
      "diff",
      "explain",
      "longestPath",
      "loops",
      "reachable",
    ]);
    expect(Object.keys(claims).sort()).toEqual([
      "dialects",
      "isBuilt",
      "isClaimName",
      "partNamed",
      "parts",
      "profileNamed",
      "profiles",
      "validateClaims",
    ]);
    expect(Object.keys(zod).sort()).toEqual([
      "actionContract",
      "activityNode",
      "awaitSignalNode",
      "awaitTimerNode",
      "choiceNode",
      "completeNode",
      "deadline",
      "definition",
      "definitionJsonSchema",
      "dialects",
      "failNode",
      "limits",
      "meta",
      "node",
      "retryPolicy",
      "settings",
      "settingsJsonSchema",
    ]);
  });
});
