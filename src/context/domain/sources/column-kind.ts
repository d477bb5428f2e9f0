export type ColumnKind = 'number' | 'date' | 'boolean' | 'text' | 'nested'

/** The kind of values that a type has, however the engine spells and wraps it. */
export function kindOf(declared: string): ColumnKind {
  const type = declared.replace(/^(?:(?:Nullable|LowCardinality)\()+/, '')
  if (
    /\[\]|^(?:struct|list|map|array|tuple|nested|json|variant|object|row|record|super|bytea|blob|binary|varbinary|geo|point|polygon|hstore|vector|tsvector|money|xml|bit)/i.test(
      type,
    )
  )
    return 'nested'
  if (
    /^(?:u?(?:big|small|tiny|huge|medium)?int(?:eger)?\d*\b|(?:big|small)?serial|(?:big)?(?:numeric|decimal)|number|real|double|float|year\b)/i.test(
      type,
    )
  )
    return 'number'
  if (/^(?:date|datetime|timestamp|smalldatetime)/i.test(type)) return 'date'
  if (/^bool/i.test(type)) return 'boolean'
  return /char|text|string|uuid|enum|clob|varchar|^set\(/i.test(type) ? 'text' : 'nested'
}

/** Exact decimal numbers. */
export const isDecimal = (type: string): boolean =>
  /^(?:Nullable\()?(?:(?:big)?(?:numeric|decimal)|number\(\d+, ?[1-9])/i.test(type)

/** Texts of any content; not every engine can compare an enum or a UUID with the empty text. */
export const isFreeText = (type: string): boolean => kindOf(type) === 'text' && !/uuid|enum|^set\(/i.test(type)
