/** What an entry of the audit log is about, and how long an organisation keeps things. The server's alone. */
export const auditAndLaw = {
  name: 'audit and law',
  statements: () => [
    // `subject`: id of the person, token, session, grant or invitation that something was done to.
    'ALTER TABLE ken.audit_log ADD COLUMN subject text',
    // No row: what `USUAL_RETENTION` says. Without `chat_days` a chat stays until its person deletes it.
    `CREATE TABLE ken.retention (
       organisation text PRIMARY KEY REFERENCES ken.organisations ON DELETE CASCADE,
       audit_days int NOT NULL CHECK (audit_days >= 30),
       deleted_days int NOT NULL CHECK (deleted_days >= 1),
       chat_days int CHECK (chat_days >= 1),
       changed_at timestamptz NOT NULL
     )`,
  ],
}
