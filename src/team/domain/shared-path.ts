/** The path, in a team's memory, of a document shared under the name `share`. */
export const sharedPath = (share: string, own: string): string => `shared/${share}/${own}`

/** The share in a shared path, and the document's id at its origin. */
export function readSharedPath(path: string): { readonly share: string; readonly id: string } | undefined {
  const [, share, id] = /^shared\/([^/]+)\/([0-9a-f]{12})\.md$/.exec(path) ?? []
  return share === undefined ? undefined : { share, id: id! }
}
