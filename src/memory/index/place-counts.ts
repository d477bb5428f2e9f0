import type { IndexPlace, IndexStatus } from '../ports/search-index.ts'

/** Counts for the status, shared by all back ends. The same place may occur several times. */
export function placeCounts(
  all: readonly IndexPlace[],
): Pick<IndexStatus, 'documents' | 'places' | 'byCollection' | 'byWorkspace' | 'byOrigin'> {
  const groups = Map.groupBy(
    all.filter(({ documents }) => documents > 0),
    ({ collection, origin, workspace, project }) => JSON.stringify([collection, origin, workspace, project]),
  )
  const places = Array.from(groups.values(), (same) => {
    const { collection, origin, workspace, project } = same[0]!
    return { collection, origin, workspace, project, documents: sum(same) }
  })
  const by = (key: 'collection' | 'workspace' | 'origin') =>
    Object.fromEntries(
      Array.from(
        Map.groupBy(places, (place) => place[key]),
        ([name, some]) => [name, sum(some)],
      ),
    )
  return {
    documents: sum(places),
    places,
    byCollection: by('collection'),
    byWorkspace: by('workspace'),
    byOrigin: by('origin'),
  }
}

const sum = (places: readonly IndexPlace[]): number => places.reduce((total, { documents }) => total + documents, 0)
