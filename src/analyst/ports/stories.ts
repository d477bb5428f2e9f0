import type { Story, StoryData, StoryRefresh, StoryVersion } from '../domain/story/story.ts'

/** Stories and their versions. Every back end passes test/contract/stories.contract.ts. */
export interface Stories {
  /** Stores a new story with its first version, atomically. Throws `conflict` if its project already has the slug. */
  create(story: Story, version: StoryVersion): Promise<void>
  /** Finds a story by id, or by slug in a project. */
  find(story: { readonly id: string } | { readonly slug: string; readonly project: string }): Promise<Story | undefined>
  /** Lists stories, last changed first. */
  list(query: {
    readonly user: string
    readonly project?: string
    /** Lists archived stories instead of the others. */
    readonly archived?: boolean
    /** Lists only stories with a schedule. */
    readonly scheduled?: boolean
  }): Promise<readonly Story[]>
  /** Changes a story; null removes a value. Throws `not_found`. */
  change(id: string, change: StoryChange): Promise<void>
  /** Adds a version, returns its number and sets `updatedAt` of its story. Throws `not_found`. */
  addVersion(version: Omit<StoryVersion, 'version'>): Promise<number>
  /** Lists the versions, oldest first. */
  versions(story: string): Promise<readonly StoryVersion[]>
  /**
   * Stores the result of a refresh atomically; its data replaces the previous data only on success. Throws `not_found`.
   */
  keepRefresh(story: string, refresh: StoryRefresh, data: readonly StoryData[]): Promise<void>
  /** Returns the data of a story, ordered by query name. */
  data(story: string): Promise<readonly StoryData[]>
}

export interface StoryChange {
  readonly title?: string
  readonly archivedAt?: string | null
  readonly schedule?: Story['schedule'] | null
}
