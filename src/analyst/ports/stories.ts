import type { Story, StoryData, StoryRefresh, StoryVersion } from '../domain/story/story.ts'

/** Stories and their versions. Every back end passes test/contract/stories.contract.ts. */
export interface Stories {
  /** A new story with its first version, all or none. Throws `conflict` for a slug that its project has. */
  create(story: Story, version: StoryVersion): Promise<void>
  /** By id, or by slug in a project. */
  find(story: { readonly id: string } | { readonly slug: string; readonly project: string }): Promise<Story | undefined>
  /** The one changed last first. */
  list(query: {
    readonly user: string
    readonly project?: string
    /** Those that were archived instead of the others. */
    readonly archived?: boolean
    /** Only those with a schedule. */
    readonly scheduled?: boolean
  }): Promise<readonly Story[]>
  /** Throws `not_found`; null takes a value away. */
  change(id: string, change: StoryChange): Promise<void>
  /** Gives the number of the new version; its story is `updatedAt` then. Throws `not_found`. */
  addVersion(version: Omit<StoryVersion, 'version'>): Promise<number>
  /** The oldest first. */
  versions(story: string): Promise<readonly StoryVersion[]>
  /**
   * Notes how a refresh went; its data replaces what there was only where it went well, all or none. Throws
   * `not_found`.
   */
  keepRefresh(story: string, refresh: StoryRefresh, data: readonly StoryData[]): Promise<void>
  /** By the name of the query. */
  data(story: string): Promise<readonly StoryData[]>
}

export interface StoryChange {
  readonly title?: string
  readonly archivedAt?: string | null
  readonly schedule?: Story['schedule'] | null
}
