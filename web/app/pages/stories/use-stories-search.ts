import { useNavigate, useSearch } from '@tanstack/react-router'
import { readStoriesSearch, type StoriesSearch } from './stories-search.ts'

/** The URL's state of the list and of the open story. */
export function useStoriesSearch(): {
  readonly search: StoriesSearch
  /** Changes the URL's state; undefined removes a part. Typing adds no history entries. */
  setSearch(change: { [K in keyof StoriesSearch]?: StoriesSearch[K] | undefined }, isTyping?: boolean): void
} {
  const search = readStoriesSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return {
    search,
    setSearch: (change, isTyping = false) =>
      void navigate({
        to: '.',
        search: readStoriesSearch({ ...search, ...change }) as never,
        replace: isTyping,
      }),
  }
}
