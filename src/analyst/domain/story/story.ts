import type { SharedVisibility } from '../chat/chat.ts'

/** A page of Markdown with charts and tables drawn from queries, stored in versions. */
export interface Story {
  readonly id: string
  readonly user: string
  readonly project: string
  /** The folder of the story's context project. */
  readonly folder: string
  /** The chat in which the story was created. */
  readonly chat?: string
  /** Short name for people, unique in the project. */
  readonly slug: string
  readonly title: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly archivedAt?: string
  /**
   * Five cron fields, in the timezone of the person who set it; undefined if refreshed by hand. `since`: when it was
   * set.
   */
  readonly schedule?: { readonly cron: string; readonly timezone: string; readonly since?: string }
  readonly lastRefresh?: StoryRefresh
  /** Readers other than the story's user; undefined if private. */
  readonly visibility?: SharedVisibility
}

export interface StoryVersion {
  readonly story: string
  /** 1-based version number. */
  readonly version: number
  readonly at: string
  readonly by: 'analyst' | 'person'
  /** Markdown with <chart …/>, <table …/> and <grid>. */
  readonly text: string
}

/** Result of a refresh. A failed refresh keeps the data of the last good one. */
export interface StoryRefresh {
  readonly at: string
  readonly ok: boolean
  readonly problem?: string
}

/** The rows of one story query, as of its last good refresh. */
export interface StoryData {
  readonly story: string
  readonly query: string
  readonly database: string
  readonly sql: string
  /** JSON `{columns, rows, cut}`. */
  readonly result: string
  readonly at: string
}
