import { describe, expect, it } from 'vitest'
import { findStories } from './find-stories.ts'
import { readStoriesSearch } from './stories-search.ts'

const stories = [
  { title: 'Umsätze nach Monat', slug: 'umsatze-nach-monat' },
  { title: 'Revenue by month', slug: 'revenue' },
]

describe('the list of stories', () => {
  it('finds stories by words in any order, ignoring accents', () => {
    expect(findStories(stories, 'month REV')).toEqual([stories[1]])
    expect(findStories(stories, 'umsatze')).toEqual([stories[0]])
    expect(findStories(stories, '  ')).toEqual(stories)
    expect(findStories(stories, 'profit')).toEqual([])
  })
  it('parses the known parts of a URL and ignores the rest', () => {
    expect(readStoriesSearch({ q: 'a', archived: 'true', view: 'edit', version: '3', from: 2, more: 1 })).toEqual({
      q: 'a',
      archived: true,
      view: 'edit',
      version: 3,
      from: 2,
    })
    expect(readStoriesSearch({ q: '', archived: 'no', view: 'x', version: '-1', from: '1e9' })).toEqual({})
  })
})
