import { judgeScope } from './judge-scope.ts'
import type { SqlPolicy, SqlVerdict } from './policy.ts'
import { refusedFunction } from './refused-functions.ts'
import { TOO_DEEP, type ParsedSql, type ParsedStatement } from './statement.ts'

/**
 * Decides whether SQL may run: one statement, read only, inside the context. The engine's read-only session is the
 * second barrier.
 */
export function judgeStatement(parsed: ParsedSql, policy: SqlPolicy): SqlVerdict {
  if (parsed.error !== undefined)
    return refuse('unreadable', parsed.error, `Write it as ${policy.dialect.name} understands it.`)
  const [statement, second] = parsed.statements
  // Some engines stop reading at NUL, and would run a different statement from the one judged.
  if (statement?.sql.includes('\0')) return refuse('unreadable', 'it holds a NUL character', 'Leave it out.')
  if (!statement) return refuse('unreadable', 'there is no statement', 'Send one SELECT.')
  if (second) return refuse('several', `${parsed.statements.length} statements were sent`, 'Send them one at a time.')
  try {
    return (
      judgeEffects(statement) ??
      judgeScope(statement, policy) ??
      judgeFunctions(statement, policy) ?? { allowed: true, sql: statement.sql }
    )
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return refuse('unreadable', TOO_DEEP, 'Write it in fewer levels.')
  }
}

function judgeEffects({ kind, verb, effects, externals }: ParsedStatement): SqlVerdict | undefined {
  const [effect] = effects
  const hint = 'Only statements that read may run: SELECT, WITH … SELECT, VALUES, EXPLAIN, DESCRIBE.'
  if (effect !== undefined) return refuse('writes', `${effect} is not a read`, hint)
  if (kind === 'other') return refuse('writes', `${verb} is not a read`, hint)
  const [external] = externals
  if (external === undefined) return undefined
  return refuse('outside', `${external} lies outside the database`, 'Read tables and views of this database only.')
}

function judgeFunctions({ functions, names }: ParsedStatement, policy: SqlPolicy): SqlVerdict | undefined {
  for (const use of functions) {
    const reason = refusedFunction(use, policy.dialect, names.ownFunctions)
    if (reason) return refuse('function', `${use.name}() ${reason}`, 'Write it without that function.')
  }
  return undefined
}

const refuse = (code: Extract<SqlVerdict, { allowed: false }>['code'], reason: string, hint: string): SqlVerdict => ({
  allowed: false,
  code,
  reason,
  hint,
})
