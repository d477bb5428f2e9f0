import { Link } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'
import { useProject } from '../../api/queries.ts'
import { usePageTitle } from '../../frame/page-title.ts'
import { Page } from '../../frame/page.tsx'
import { AccessSection } from './access-section.tsx'
import { AllSection } from './all-section.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { AuditSection } from './audit-section.tsx'
import { ClientsSection } from './clients-section.tsx'
import { CollectionsSection } from './collections-section.tsx'
import { EmbeddingModels } from './embedding-models.tsx'
import { ModelInUse } from './model-in-use.tsx'
import { PeopleSection } from './people-section.tsx'
import { PrivacySection } from './privacy-section.tsx'
import { ProjectsSection } from './projects-section.tsx'
import { ProviderKeys } from './provider-keys.tsx'
import { isSection, sectionRoute, SECTIONS, type Section } from './routes.ts'
import { SharingSection } from './sharing-section.tsx'
import { StorageSection } from './storage-section.tsx'
import { TokensSection } from './tokens-section.tsx'
import { UsageSection } from './usage-section.tsx'
import styles from './settings.module.css'

const NAMES: Readonly<Record<Section, string>> = {
  people: 'People',
  projects: 'Projects',
  usage: 'Usage',
  sharing: 'Sharing',
  access: 'Tokens',
  audit: 'Audit',
  models: 'Models',
  clients: 'Clients',
  collections: 'Collections',
  storage: 'Storage',
  privacy: 'Privacy',
  tokens: 'Tokens',
  appearance: 'Appearance',
  all: 'All settings',
}

/** The answering model, its keys, and the embedder. */
const ModelsSection = () => (
  <>
    <ModelInUse />
    <ProviderKeys />
    <EmbeddingModels />
  </>
)

const SHOWN: Readonly<Record<Section, () => React.ReactNode>> = {
  people: PeopleSection,
  projects: ProjectsSection,
  usage: UsageSection,
  sharing: SharingSection,
  access: AccessSection,
  audit: AuditSection,
  models: ModelsSection,
  clients: ClientsSection,
  collections: CollectionsSection,
  storage: StorageSection,
  privacy: PrivacySection,
  tokens: TokensSection,
  appearance: AppearanceSection,
  all: AllSection,
}

export const SettingsPage = () => {
  const project = useProject()
  const { section: named } = sectionRoute.useParams()
  const section = isSection(named) ? named : SECTIONS[0]!
  const Shown = SHOWN[section]
  const nav = useRef<HTMLElement>(null)
  // On a narrow screen the sections are one line, longer than the screen.
  useLayoutEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [section])
  usePageTitle(`Settings: ${NAMES[section].toLowerCase()}`)
  return (
    <Page title="Settings" layout="fill">
      <div className={styles.page}>
        <nav ref={nav} className={styles.nav} aria-label="Settings sections">
          <ul>
            {SECTIONS.map((one) => (
              <li key={one}>
                <Link
                  to="/$project/settings/$section"
                  params={{ project, section: one }}
                  className={styles.link}
                  aria-current={one === section ? 'page' : undefined}
                >
                  {NAMES[one]}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className={styles.scroll}>
          <div className={styles.section} key={section}>
            <Shown />
          </div>
        </div>
      </div>
    </Page>
  )
}
