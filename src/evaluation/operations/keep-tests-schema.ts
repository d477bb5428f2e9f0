import type { ConfigFiles } from '../../context/ports/config-files.ts'
import { isTestsSchema, TESTS_SCHEMA, testsSchemaText } from '../domain/tests-schema.ts'

/**
 * Updates the schema next to the cases to this version of Ken, so that no editor rejects a new field. Creates a missing
 * schema only with `make`; keeps files that Ken did not write. Never throws.
 */
export async function keepTestsSchema(
  files: ConfigFiles,
  /** `within` is the tests folder, below the root. */
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
    // The folder is not writable or a link is in its place. Cases are read without the schema.
  }
}
