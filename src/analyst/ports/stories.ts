import type { Story, StoryData, StoryRefresh, StoryVersion } from '../domain/story/story.ts'

/** Stories and their versions. Every back end passes test/contract/stories.contract.ts. */
export interface Stories {
  /** A new story with its first version, all or none. Throws `conflict` if its project has the slug. */
  create(story: Story, version: StoryVersion): Promise<void>
  /** By id, or by slug in a project. */
  find(story: { readonly id: string } | { readonly slug: string; readonly project: string }): Promise<Story | undefined>
  /** Last changed first. */
  list(query: {
    readonly user: string
    readonly project?: string
    /** Archived ones instead of the others. */
    readonly archived?: boolean
    /** Only those with a schedule. */
    readonly scheduled?: boolean
  }): Promise<readonly Story[]>
  /** Throws `not_found`; null removes a value. */
  change(id: string, change: StoryChange): Promise<void>
  /** Returns the number of the new version and sets `updatedAt` of its story. Throws `not_found`. */
  addVersion(version: Omit<StoryVersion, 'version'>): Promise<number>
  /** The oldest first. */
  versions(story: string): Promise<readonly StoryVersion[]>
  /**
   * Stores the result of a refresh; its data replaces the previous one only on success, all or none. Throws
   * `not_found`.
   */
  keepRefresh(story: string, refresh: StoryRefresh, data: readonly StoryData[]): Promise<void>
  /** By query name. */
  data(story: string): Promise<readonly StoryData[]>
}

export interface StoryChange {
  readonly title?: string
  readonly archivedAt?: string | null
  readonly schedule?: Story['schedule'] | null
}
