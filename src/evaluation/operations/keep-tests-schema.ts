import type { ConfigFiles } from '../../context/ports/config-files.ts'
import { isTestsSchema, TESTS_SCHEMA, testsSchemaText } from '../domain/tests-schema.ts'

/**
 * Brings the schema beside the cases up to date with this version of Ken, so that no editor calls a new field wrong.
 * Where there is none it is written only to be made; what somebody else put there stays. Never in the way of the call.
 */
export async function keepTestsSchema(
  files: ConfigFiles,
  /** `within` is the folder of tests, below the root. */
  { root, within }: { readonly root: string; readonly within: string },
  { make = false }: { readonly make?: boolean } = {},
): Promise<void> {
  const text = testsSchemaText()
  const isOurs = (now: string | undefined): boolean => (now === undefined ? make : now !== text && isTestsSchema(now))
  try {
    await files.changeText(root, `${within}/${TESTS_SCHEMA}`, (now) => ({
      result: undefined,
      ...(isOurs(now) && { write: text }),
    }))
  } catch {
    // A folder that cannot be written to, or a link in its place: cases are read without it.
  }
}
