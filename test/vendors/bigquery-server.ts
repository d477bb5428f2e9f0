import { createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { PAGE, SECRET, sendJson, serveHttp, type Answer, type ColumnType, type VendorServer } from './reply.ts'

const TYPES: Readonly<Record<ColumnType, string>> = {
  bigint: 'INTEGER',
  decimal: 'NUMERIC',
  double: 'FLOAT',
  boolean: 'BOOLEAN',
  text: 'STRING',
  timestamp: 'TIMESTAMP',
}

/**
 * BigQuery's REST API: jobs are inserted, dry runs return the kind of statement at once, and results are fetched page
 * by page. https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs
 */
export async function serveBigquery(answer: Answer): Promise<VendorServer> {
  const begun: string[] = []
  const stopped: string[] = []
  const jobs = new Map<string, { sql: string; isStopped: boolean }>()
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const server = await serveHttp((request, body, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://b')
    const refuse = (code: number, reason: string, message: string): void =>
      sendJson(response, code, { error: { code, message, errors: [{ reason, message }] } })
    if (!isSigned(request.headers.authorization, own.publicKey))
      return refuse(401, 'authError', 'Request had invalid authentication credentials.')
    if (pathname.endsWith('/datasets/shop'))
      return sendJson(response, 200, {
        datasetReference: { projectId: 'acme-data', datasetId: 'shop' },
        location: 'EU',
      })
    if (request.method === 'POST' && pathname.endsWith('/jobs')) {
      const { configuration, jobReference } = JSON.parse(body) as {
        jobReference: { jobId: string; location?: string }
        configuration: { dryRun?: boolean; query: { query: string; maximumBytesBilled?: string } }
      }
      const { query: sql, maximumBytesBilled } = configuration.query
      if (jobReference.location !== 'EU')
        return refuse(
          404,
          'notFound',
          `Not found: Dataset acme-data:shop was not found in location ${jobReference.location}`,
        )
      const reply = answer(sql)
      if (reply !== 'runs on' && 'error' in reply) return refuse(400, 'invalidQuery', reply.error)
      const statementType = /^\s*(?:SELECT|WITH)\b/i.test(sql) ? 'SELECT' : 'SCRIPT'
      if (configuration.dryRun)
        return sendJson(response, 200, {
          configuration,
          status: { state: 'DONE' },
          statistics: { totalBytesProcessed: String(bytesOf(sql)), query: { statementType } },
          jobReference,
        })
      if (maximumBytesBilled === undefined) return refuse(400, 'invalid', 'the bytes are not limited')
      if (bytesOf(sql) > Number(maximumBytesBilled))
        return refuse(400, 'bytesBilledLimitExceeded', `Query exceeded limit for bytes billed: ${maximumBytesBilled}.`)
      begun.push(sql)
      jobs.set(jobReference.jobId, { sql, isStopped: false })
      return sendJson(response, 200, { jobReference, configuration, status: { state: 'RUNNING' } })
    }
    const jobId = /\/(?:queries|jobs)\/([^/]+)/.exec(pathname)?.[1] ?? ''
    const job = jobs.get(jobId)
    if (job === undefined) return refuse(404, 'notFound', `Not found: Job ${jobId}`)
    const jobReference = { projectId: 'acme-data', jobId, location: 'EU' }
    if (pathname.endsWith('/cancel')) {
      job.isStopped = true
      stopped.push(job.sql)
      return sendJson(response, 200, { job: { jobReference } })
    }
    if (job.isStopped) return refuse(400, 'stopped', 'Job execution was cancelled: User requested cancellation')
    const reply = answer(job.sql)
    if (reply === 'runs on') {
      setTimeout(() => sendJson(response, 200, { jobReference, jobComplete: false }), 50)
      return
    }
    if ('error' in reply) return refuse(400, 'invalidQuery', reply.error)
    const from = Number(searchParams.get('pageToken') ?? 0)
    const end = from + Math.min(PAGE, Number(searchParams.get('maxResults') ?? Infinity))
    sendJson(response, 200, {
      jobReference,
      jobComplete: true,
      totalRows: String(reply.rows.length),
      schema: { fields: reply.columns.map(({ name, type }) => ({ name, type: TYPES[type], mode: 'NULLABLE' })) },
      rows: reply.rows.slice(from, end).map((row) => ({
        f: row.map((cell, i) => ({ v: cell === null ? null : inWords(String(cell), reply.columns[i]!.type) })),
      })),
      ...(end < reply.rows.length ? { pageToken: String(end) } : {}),
    })
  })
  process.env['BIGQUERY_EMULATOR_HOST'] = server.url
  const connection = { project: 'acme-data', dataset: 'shop' }
  return {
    connection: { ...connection, credentials_json: accountWith(own.privateKey) },
    wrongConnection: {
      ...connection,
      credentials_json: accountWith(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
    },
    begun,
    stopped,
    async close() {
      delete process.env['BIGQUERY_EMULATOR_HOST']
      await server.close()
    },
  }
}

/** Table size from its name: `sized_5000`. */
const bytesOf = (sql: string): number => Number(/\bsized_(\d+)\b/.exec(sql)?.[1] ?? 0)

/** Accounts outside Google's own universe sign their own requests, so no other server is contacted. */
const accountWith = (key: KeyObject): string =>
  JSON.stringify({
    type: 'service_account',
    client_email: 'reader@acme-data.iam.example.com',
    private_key: key.export({ type: 'pkcs8', format: 'pem' }),
    private_key_id: SECRET,
    universe_domain: 'example.com',
  })

function isSigned(authorization: string | undefined, key: KeyObject): boolean {
  const [header, claims, signature] = (authorization ?? '').replace(/^Bearer /, '').split('.')
  if (signature === undefined) return false
  return createVerify('RSA-SHA256').update(`${header}.${claims}`).verify(key, signature, 'base64url')
}

/** With useInt64Timestamp a timestamp is in microseconds. */
const inWords = (text: string, type: ColumnType): string =>
  type === 'timestamp' ? String(BigInt(Date.parse(text)) * 1000n) : text
