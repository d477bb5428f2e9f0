import { useNavigate, useSearch } from '@tanstack/react-router'
import { readStoriesSearch, type StoriesSearch } from './stories-search.ts'

/** What the address says of the list and of the story that is open. */
export function useStoriesSearch(): {
  readonly search: StoriesSearch
  /** Undefined takes a part away; words that are being typed leave no trail in the history. */
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
