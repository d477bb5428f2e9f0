import { readRequestBody } from '@modelcontextprotocol/server'
import { refusal, readParameters, type OAuthParameters } from '../../../team/domain/oauth/oauth-refusal.ts'

const LARGEST_BODY = 64 * 1024

/** The parameters of a POST. Parameters in the URL are ignored: URLs end up in logs. */
export const readForm = async (request: Request): Promise<OAuthParameters> => readParameters(await readFields(request))

export async function readFields(request: Request): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw refusal('invalid_request', 'The body must be application/x-www-form-urlencoded.')
  return new URLSearchParams(await readBounded(request))
}

export async function readJson(request: Request): Promise<unknown> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw refusal('invalid_client_metadata', 'The body must be application/json.')
  try {
    return JSON.parse(await readBounded(request))
  } catch {
    throw refusal('invalid_client_metadata', 'The body is not JSON, or too large.')
  }
}

async function readBounded(request: Request): Promise<string> {
  const body = await readRequestBody(request, LARGEST_BODY)
  if (body.tooLarge) throw refusal('invalid_request', 'The body is too large.')
  return body.text
}
