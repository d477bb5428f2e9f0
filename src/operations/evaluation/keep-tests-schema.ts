import { isTestsSchema, TESTS_SCHEMA, testsSchemaText } from '../../core/evaluation/tests-schema.ts'
import type { Context } from '../../ports/context.ts'

/**
 * Brings the schema beside the cases up to date with this version of Ken, so that no editor calls a new field wrong.
 * Where there is none it is written only to be made; what somebody else put there stays. Never in the way of the call.
 */
export async function keepTestsSchema(
  ctx: Pick<Context, 'files'>,
  folder: string,
  { make = false }: { readonly make?: boolean } = {},
): Promise<void> {
  const path = `${folder}/${TESTS_SCHEMA}`
  try {
    const before = await ctx.files.read(path)
    const text = testsSchemaText()
    if (before === text || (before === undefined ? !make : !isTestsSchema(before))) return
    await ctx.files.write(path, text, { replace: before !== undefined })
  } catch {
    // A folder that cannot be written to, or a link in its place: cases are read without it.
  }
}
