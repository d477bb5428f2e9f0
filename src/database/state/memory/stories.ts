import { keptText } from '../../../analyst/domain/chat/kept-sizes.ts'
import type { Story, StoryVersion } from '../../../analyst/domain/story/story.ts'
import type { Stories } from '../../../analyst/ports/stories.ts'
import { noStory, taken } from '../missing.ts'
import { newestFirst, own, type StateTables } from './state-tables.ts'

export function storiesOn(shelf: StateTables): Stories {
  const present = (id: string): Story => {
    const story = shelf.stories.get(id)
    if (story === undefined) throw noStory(id)
    return story
  }
  const bySlug = (project: string, slug: string): Story | undefined =>
    [...shelf.stories.values()].find((story) => story.project === project && story.slug === slug)
  const kept = (version: StoryVersion): StoryVersion => ({ ...own(version), text: keptText(version.text) })
  return {
    async create(story, version) {
      if (bySlug(story.project, story.slug) !== undefined) throw taken('story', story.slug)
      if (shelf.stories.has(story.id)) throw taken('story', story.id)
      shelf.stories.set(story.id, { ...own(story), title: keptText(story.title) })
      shelf.versions.set(story.id, [kept(version)])
    },
    find: async (story) => own('id' in story ? shelf.stories.get(story.id) : bySlug(story.project, story.slug)),
    list: async ({ user, project, archived = false, scheduled = false }) =>
      own(
        newestFirst(shelf.stories.values(), (story) => story.updatedAt).filter(
          (story) =>
            story.user === user &&
            (project === undefined || story.project === project) &&
            (story.archivedAt !== undefined) === archived &&
            (!scheduled || story.schedule !== undefined),
        ),
      ),
    async change(id, { title, archivedAt, schedule }) {
      const { archivedAt: archivedBefore, schedule: scheduleBefore, ...story } = present(id)
      const archived = archivedAt === undefined ? archivedBefore : archivedAt
      const scheduled = schedule === undefined ? scheduleBefore : schedule
      shelf.stories.set(id, {
        ...story,
        ...(title !== undefined && { title: keptText(title) }),
        ...(archived && { archivedAt: archived }),
        ...(scheduled && { schedule: own(scheduled) }),
      })
    },
    async addVersion(version) {
      const story = present(version.story)
      const versions = shelf.versions.get(story.id)!
      const number = versions.at(-1)!.version + 1
      versions.push(kept({ ...version, version: number }))
      shelf.stories.set(story.id, { ...story, updatedAt: version.at })
      return number
    },
    versions: async (story) => own(shelf.versions.get(story) ?? []),
    async keepRefresh(story, refresh, data) {
      shelf.stories.set(story, { ...present(story), lastRefresh: own(refresh) })
      if (refresh.ok) shelf.storyData.set(story, own([...data].sort((a, b) => (a.query < b.query ? -1 : 1))))
    },
    data: async (story) => own(shelf.storyData.get(story) ?? []),
  }
}
