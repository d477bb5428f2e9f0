/** Subject of an audit log entry, and how long an organisation keeps things. Accessible to the server only. */
export const auditAndLaw = {
  name: 'audit and law',
  statements: () => [
    // `subject`: id of the affected person, token, session, grant or invitation.
    'ALTER TABLE ken.audit_log ADD COLUMN subject text',
    // No row: `USUAL_RETENTION` applies. Without `chat_days` a chat stays until its person deletes it.
    `CREATE TABLE ken.retention (
       organisation text PRIMARY KEY REFERENCES ken.organisations ON DELETE CASCADE,
       audit_days int NOT NULL CHECK (audit_days >= 30),
       deleted_days int NOT NULL CHECK (deleted_days >= 1),
       chat_days int CHECK (chat_days >= 1),
       changed_at timestamptz NOT NULL
     )`,
  ],
}
