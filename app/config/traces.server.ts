import { z } from "zod/v4";
import { list, matching, oneOf, url } from "./rules.server";

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/**
 * The standard variables of OpenTelemetry that this site knows. They are checked here, so that a wrong one is told at
 * the start. Its SDK reads them itself.
 */
export const traceVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url(["http:", "https:"], "http://host:4318").optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url(
    ["http:", "https:"],
    "http://host:4318/v1/traces",
  ).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: list(
    /^[\w!#$%&'*+.^`|~-]+=[\x20-\x7e]+$/,
    "give headers such as api-key=…, separated by commas",
  ).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.string().trim().optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.string().trim().optional(),
  OTEL_TRACES_EXPORTER: z.string().trim().optional(),
  OTEL_SDK_DISABLED: z.string().trim().toLowerCase().optional(),
  OTEL_SERVICE_NAME: z.string().trim().max(255, "give at most 255 characters").optional(),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .refine((text) => text.split(",").every(isAttribute), {
      error: "give attributes such as deployment.environment=production, separated by commas",
    })
    .optional(),
  OTEL_TRACES_SAMPLER: oneOf(SAMPLERS).optional(),
  OTEL_TRACES_SAMPLER_ARG: matching(
    /^(?:0?\.\d{1,9}|[01](?:\.0{0,9})?)$/,
    "give a part from 0 to 1, such as 0.1",
  ).optional(),
};

type TraceVariables = z.infer<z.ZodObject<typeof traceVariables>>;

/** Traces are sent when a collector is named, and nothing says that they are not wanted. */
export function sendsTraces(given: TraceVariables): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = given;
  const isNamed = (OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined;
  return isNamed && given.OTEL_SDK_DISABLED !== "true" && given.OTEL_TRACES_EXPORTER !== "none";
}

/** What the standard allows and this site does not have matters only when traces are sent. */
export const isSupported = {
  exporter: ({ OTEL_TRACES_EXPORTER: exporter }: TraceVariables) => (exporter ?? "otlp") === "otlp",
  protocol: ({ OTEL_EXPORTER_OTLP_PROTOCOL: protocol }: TraceVariables) => isJson(protocol),
  tracesProtocol: ({ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol }: TraceVariables) =>
    isJson(protocol),
};

const isJson = (protocol: string | undefined) => (protocol ?? "http/json") === "http/json";

/** As the SDK reads it: it would leave out all attributes because of one that it cannot read. */
function isAttribute(text: string): boolean {
  const [name = "", value, ...rest] = text.split("=").map((part) => part.trim());
  if (name === "" || value === undefined || rest.length > 0) return false;
  try {
    return [name, value].every((part) => decodeURIComponent(part).length <= 255);
  } catch {
    return false;
  }
}
