import {
  composite,
  date,
  enumOf,
  flag,
  int,
  json,
  made,
  money,
  pick,
  ref,
  serial,
  stamp,
  table,
  text,
  who,
} from './define.ts'
import { WATCHED } from './people.ts'

const DEPARTMENTS = [
  'Management',
  'Sales',
  'Marketing',
  'Finance',
  'Logistics',
  'IT',
  'People',
  'Sales DACH',
  'Sales International',
  'Accounting',
  'Warehouse North',
  'Warehouse South',
  'Data',
  'Customer service',
]

/** Employees, their pay and their time. */
export const HR = [
  table('hr.cost_centers', 12, 'Kostenstellen', {
    id: serial(),
    code: text(({ i }) => `KST-${1000 + i * 10}`),
    name: text(
      ({ i }) =>
        [
          'Vorstand',
          'Vertrieb Inland',
          'Vertrieb Ausland',
          'Marketing',
          'Buchhaltung',
          'Lager Nord',
          'Lager Süd',
          'IT-Betrieb',
          'Data',
          'Personal',
          'Service',
          'Allgemein',
        ][i]!,
    ),
  }),
  table(
    'hr.departments',
    DEPARTMENTS.length,
    undefined,
    {
      id: serial(),
      name: text(({ i }) => DEPARTMENTS[i]!),
      parent_department_id: made('integer', ({ i }) => (i === 0 ? null : i < 7 ? 1 : [2, 2, 4, 5, 5, 6, 2][i - 7]!), {
        none: 0.0001,
      }),
      cost_center_id: ref('hr.cost_centers.id'),
    },
    {
      joins: [
        {
          columns: ['parent_department_id'],
          to: 'hr.departments',
          toColumns: ['id'],
          declared: true,
          cardinality: 'n:1',
        },
      ],
    },
  ),
  table('hr.positions', 10, undefined, {
    id: serial(),
    title: text(
      ({ i }) =>
        [
          'Account executive',
          'Accountant',
          'Analyst',
          'Developer',
          'Driver',
          'Head of department',
          'Order picker',
          'Recruiter',
          'Service agent',
          'Working student',
        ][i]!,
    ),
    pay_grade: pick(['E1', 'E2', 'E3', 'E4', 'AT'], { about: 'AT = außertariflich, paid above the tariff' }),
  }),
  table(
    'hr.employees',
    160,
    'Everybody who works or worked here. Left when left_on is set.',
    {
      id: serial(),
      personnel_no: made('char(8)', ({ i }) => `P${String(20_000 + i * 3).padStart(7, '0')}`, { unique: true }),
      first_name: text(({ who }) => who.given),
      last_name: text(({ who }) => who.surname),
      birth_date: who('birth date', {}, 'date'),
      private_email: who('email', { none: 0.2 }),
      mobile: who('phone', { none: 0.2 }),
      street: who('address'),
      tax_id: who('tax id'),
      social_security_no: who('social security number', { none: 0.3 }),
      iban: who('iban'),
      department_id: ref('hr.departments.id'),
      position_id: ref('hr.positions.id'),
      manager_id: made('integer', ({ i }) => (i === 0 ? null : 1 + Math.floor((i - 1) / 5)), { none: 0.0001 }),
      contract: enumOf('hr.contract_kind', ['permanent', 'fixed_term', 'temp', 'intern']),
      fte: made(
        'numeric(3,2)',
        ({ from, i }) => (i < 2 ? ['0.25', '1.00'][i]! : from(['1.00', '1.00', '0.80', '0.50'])),
        { about: 'share of a full-time position' },
      ),
      hired_on: date('2008-04-01', '2026-06-01'),
      left_on: date('2019-12-31', '2026-05-31', { none: 0.85, about: 'last working day; empty = still here' }),
    },
    {
      eachPerson: true,
      checks: ['fte > 0 AND fte <= 1'],
      joins: [{ columns: ['manager_id'], to: 'hr.employees', toColumns: ['id'], declared: true, cardinality: 'n:1' }],
    },
  ),
  table(
    'hr.salaries',
    160,
    'Annual gross salary per employee.',
    {
      id: serial(),
      employee_id: ref('hr.employees.id', { one: true }),
      employee_name: who('name', { about: 'for the auditors' }),
      gross_per_year: who('salary', { about: 'EUR per year, 12 salaries' }, 'numeric(12,2)'),
      valid_from: date('2024-01-01', '2026-04-01'),
    },
    { eachPerson: true },
  ),
  table(
    'hr.absence_types',
    5,
    undefined,
    {
      code: made('char(1)', ({ i }) => 'USKFE'[i]!),
      label: text(
        ({ i }) =>
          [
            'Urlaub (holiday)',
            'Sonderurlaub (special leave)',
            'krank (sick)',
            'Fortbildung (training)',
            'Elternzeit (parental leave)',
          ][i]!,
      ),
      is_paid: made('boolean', ({ i }) => i !== 4),
    },
    { key: ['code'] },
  ),
  table(
    'hr.absences',
    700,
    'Fehlzeiten',
    {
      id: serial(),
      employee_id: ref('hr.employees.id'),
      type_code: pick(['U', 'K', 'F', 'S', 'E'], { about: 'see hr.absence_types' }, 'char(1)'),
      from_date: date('2024-01-02', '2026-06-22'),
      days: made(
        'numeric(4,1)',
        ({ i, from }) => (i < 2 ? ['0.5', '30.0'][i]! : from(['1.0', '2.0', '5.0', '10.0', '0.5'])),
        { about: 'working days, halves are possible' },
      ),
      approved_by: made('integer', ({ from }) => from([1, 2, 3, 4, 5, 6]), {
        none: 0.1,
        about: 'the employee who approved it',
      }),
    },
    {
      joins: [
        { columns: ['type_code'], to: 'hr.absence_types', toColumns: ['code'], declared: false, cardinality: 'n:1' },
        { columns: ['approved_by'], to: 'hr.employees', toColumns: ['id'], declared: true, cardinality: 'n:1' },
      ],
    },
  ),
  table('hr.timesheets', 900, 'Hours booked on projects. The projects live in another system.', {
    id: serial(),
    employee_id: ref('hr.employees.id'),
    project_id: int(1, 24, { about: 'id in the project tool, not in this database' }),
    work_date: date('2025-07-01', '2026-06-30'),
    minutes: int(15, 600, { about: 'minutes worked' }, 'smallint'),
    billable: flag(0.6),
  }),
  table('hr.applicants', 140, undefined, {
    id: serial(),
    position_id: ref('hr.positions.id'),
    full_name: who('name'),
    email: who('email'),
    cv: json(({ who }) => ({
      name: who.values.name,
      born: who.values['birth date'],
      phone: who.values.phone,
      skills: ['SQL', 'Excel'],
    })),
    stage: enumOf('hr.applicant_stage', ['received', 'interview', 'offer', 'hired', 'rejected']),
    applied_on: date('2025-01-07', '2026-06-26'),
  }),
  table('hr.trainings', 15, undefined, {
    id: serial(),
    title: text(
      ({ i }) =>
        `${['Forklift licence', 'Fire safety', 'SQL for analysts', 'Data protection', 'Negotiation'][i % 5]!} ${1 + Math.floor(i / 5)}`,
    ),
    hours: int(2, 40, {}, 'smallint'),
    is_mandatory: flag(0.4),
  }),
  table(
    'hr.employee_trainings',
    400,
    undefined,
    {
      employee_id: made('integer', ({ i }) => 1 + (i % 160)),
      training_id: made('integer', ({ i }) => 1 + ((i + Math.floor(i / 160) * 4) % 15)),
      completed_on: date('2023-02-01', '2026-06-12', { none: 0.2, about: 'empty while enrolled' }),
    },
    {
      key: ['employee_id', 'training_id'],
      joins: [
        { columns: ['employee_id'], to: 'hr.employees', toColumns: ['id'], declared: true, cardinality: 'n:1' },
        { columns: ['training_id'], to: 'hr.trainings', toColumns: ['id'], declared: true, cardinality: 'n:1' },
      ],
    },
  ),
  table('hr.performance_reviews', 300, undefined, {
    id: serial(),
    employee_id: ref('hr.employees.id'),
    reviewer_id: ref('hr.employees.id', { slot: 'reviewer' }),
    year: int(2022, 2025, {}, 'smallint'),
    grade: pick([1, 2, 3, 4, 5], { about: 'school grades: 1 is the best, 5 the worst' }),
    comment: text(({ who, from }) =>
      from(['Solid year.', `Takes over the team of ${who.values.name}.`, 'Needs support.']),
    ),
  }),
  table(
    'hr.payroll_runs',
    30,
    `Questions: ${WATCHED[3]!.values.name}, ${WATCHED[3]!.values.email}, ${WATCHED[3]!.values.phone}.`,
    {
      id: serial(),
      period: made('char(6)', ({ i }) => `${2024 + Math.floor(i / 12)}${String(1 + (i % 12)).padStart(2, '0')}`, {
        about: 'YYYYMM',
      }),
      total_gross: money(380_000, 612_000, { about: 'EUR' }),
      closed_at: stamp('2024-01-29', '2026-06-28'),
    },
  ),
  table(
    'hr.emergency_contacts',
    150,
    undefined,
    {
      employee_id: made('integer', ({ i }) => i + 1),
      seq: made('smallint', () => 1),
      contact_name: who('name'),
      contact_phone: who('phone'),
      relation: pick(['spouse', 'parent', 'sibling', 'friend']),
    },
    { key: ['employee_id', 'seq'], joins: [composite('employee_id', 'hr.employees', 'id')] },
  ),
]
