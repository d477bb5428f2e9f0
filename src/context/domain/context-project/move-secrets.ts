import { AppError } from '../../../kernel/domain/errors.ts'
import { plainSecrets } from './secret-fields.ts'

type Fields = Readonly<Record<string, unknown>>

/** The fields of an entry with secrets replaced by references, and their values by variable. */
export function moveSecrets(
  fields: Fields,
  secrets: readonly string[],
  variableOf: (field: string, secret: string) => string,
): { readonly fields: Fields; readonly variables: Readonly<Record<string, string>> } {
  const variables: Record<string, string> = {}
  const moved = Object.entries(fields).map(([field, value]) => {
    if (plainSecrets({ [field]: value }, secrets).length === 0) return [field, value] as const
    if (typeof value === 'object')
      throw new AppError('invalid_input', `"${field}" contains a secret.`, {
        hint: 'Write ${NAME} there, and set NAME in .env.',
      })
    const variable = variableOf(field, String(value))
    variables[variable] = String(value)
    return [field, `\${${variable}}`] as const
  })
  return { fields: Object.fromEntries(moved), variables }
}
