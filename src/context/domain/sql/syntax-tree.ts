/** Node of a parser's tree: third-party data, so every field is checked before use. */
export type TreeNode = Readonly<Record<string, unknown>>

export const nodeOf = (value: unknown): TreeNode | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as TreeNode) : undefined

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const nodesOf = (value: unknown): readonly TreeNode[] =>
  listOf(value)
    .map(nodeOf)
    .filter((node) => node !== undefined)

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Every value directly inside a node or list. */
export function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}
