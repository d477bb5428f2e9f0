import { randomUUID } from 'node:crypto'
import { AppError } from '../../kernel/domain/errors.ts'
import type { Tracer } from '../../kernel/ports/tracer.ts'
import { systemRandom } from '../../kernel/system/random.ts'
import { openOtlpTracer } from '../../kernel/system/tracer.ts'
import type { Environment } from '../settings.ts'
import { VERSION } from '../version.ts'

/** Sends traces to OTEL_EXPORTER_OTLP_ENDPOINT; undefined without it. */
export function openTracer(environment: Environment): Tracer | undefined {
  const endpoint = environment['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim()
  if (endpoint === undefined || endpoint === '') return undefined
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new AppError('invalid_input', 'OTEL_EXPORTER_OTLP_ENDPOINT must be an address, e.g. http://localhost:4318.')
  if (/grpc/i.test(environment['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? ''))
    throw new AppError('invalid_input', 'Traces over gRPC are not supported, only over HTTP.', {
      hint: 'Set OTEL_EXPORTER_OTLP_PROTOCOL=http/json and the port of your collector for HTTP, often 4318.',
    })
  return openOtlpTracer({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: headersOf(environment['OTEL_EXPORTER_OTLP_HEADERS'] ?? ''),
    resource: {
      'service.name': environment['OTEL_SERVICE_NAME']?.trim() || 'ken',
      'service.version': VERSION,
      'service.instance.id': randomUUID(),
    },
    ratio: ratioOf(environment['OTEL_TRACES_SAMPLER_ARG']),
    chance: systemRandom,
    now: () => performance.timeOrigin + performance.now(),
  })
}

/** Parses `name=value,name=value`, each percent-encoded. */
function headersOf(text: string): Record<string, string> {
  try {
    const pairs = text.split(',').filter((pair) => pair.trim() !== '')
    const headers = pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
    })
    return Object.fromEntries(new Headers(Object.fromEntries(headers)))
  } catch {
    // The value is not quoted, as it may be a key.
    throw new AppError('invalid_input', 'OTEL_EXPORTER_OTLP_HEADERS must be comma-separated name=value pairs.')
  }
}

function ratioOf(text: string | undefined): number {
  const ratio = text === undefined || text.trim() === '' ? 1 : Number(text)
  if (!(ratio >= 0 && ratio <= 1))
    throw new AppError('invalid_input', 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
  return ratio
}
