/** Where a team's memory keeps what somebody gave to a share under a name. */
export const sharedPath = (share: string, own: string): string => `shared/${share}/${own}`

/** The share of such a path, and the id that the document has where it came from. */
export function readSharedPath(path: string): { readonly share: string; readonly id: string } | undefined {
  const [, share, id] = /^shared\/([^/]+)\/([0-9a-f]{12})\.md$/.exec(path) ?? []
  return share === undefined ? undefined : { share, id: id! }
}
