import { createBrowseView } from './browse-view.ts'
import { createCamera } from './camera.ts'
import { createDots, neighbourhood, showTip } from './dots.ts'
import { createFilters } from './filters.ts'
import { createGraphView, linkPath } from './graph-view.ts'
import { createInsights } from './insights.ts'
import { createKit, fill } from './kit.ts'
import { byImportance, createLabels, labelSpots, shortName } from './labels.ts'
import { createLineageView } from './lineage-view.ts'
import { matchesQuery } from './matches-query.ts'
import { createPanel } from './panel.ts'
import { inline, prose } from './prose.ts'
import { relate } from './relations.ts'
import { createSearchField } from './search-field.ts'
import { start } from './start.ts'
import { steer } from './steer.ts'
import { createSurface } from './surface.ts'
import { createTimelineView } from './timeline-view.ts'

const PARTS = {
  byImportance,
  createBrowseView,
  createCamera,
  createDots,
  createFilters,
  createGraphView,
  createInsights,
  createKit,
  createLabels,
  createLineageView,
  createPanel,
  createSearchField,
  createSurface,
  createTimelineView,
  fill,
  inline,
  labelSpots,
  linkPath,
  matchesQuery,
  neighbourhood,
  prose,
  relate,
  shortName,
  showTip,
  steer,
}

/**
 * The functions that run in the browser. They reach each other through this table, never by import, because they travel
 * as text.
 */
export type Parts = typeof PARTS

/**
 * The script of the page: the functions' own text, which is plain JavaScript by the time it can be asked for, whether
 * types were stripped on loading or compiled away. No bundler and no generated file.
 */
export function viewerScript(): string {
  const table = Object.entries(PARTS).map(([name, part]) => `${name}: ${part.toString()}`)
  return `'use strict';\n(${start.toString()})(window, {\n${table.join(',\n')}\n})\n`
}
