/**
 * Who did what, one row per call; accessible to the server only. The database itself prevents changing a row, and
 * deleting one younger than a month: older ones can only be deleted before the moment that a transaction names in
 * `ken.audit_before`, which is how retention works.
 */
export const audit = {
  name: 'audit',
  statements: () => [
    // `held`: id of the token, grant or session. `source`: the client's address.
    `CREATE TABLE ken.audit_log (
       place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       at timestamptz NOT NULL,
       organisation text NOT NULL,
       person text NOT NULL,
       through text NOT NULL,
       held text,
       operation text NOT NULL,
       effect text NOT NULL CHECK (effect IN ('read', 'write')),
       project text,
       outcome text NOT NULL,
       surface text NOT NULL,
       client text,
       source text
     )`,
    'CREATE INDEX audit_log_of_organisation ON ken.audit_log (organisation, place)',
    'CREATE INDEX audit_log_of_person ON ken.audit_log (person, place)',
    'CREATE INDEX audit_log_of_project ON ken.audit_log (project, place) WHERE project IS NOT NULL',
    'CREATE INDEX audit_log_by_time ON ken.audit_log (at)',
    `CREATE FUNCTION ken.keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE
       before timestamptz := nullif(current_setting('ken.audit_before', true), '')::timestamptz;
     BEGIN
       IF TG_OP = 'DELETE' AND OLD.at < before AND OLD.at < now() - interval '30 days' THEN RETURN OLD; END IF;
       RAISE EXCEPTION 'the audit log is only added to' USING ERRCODE = 'insufficient_privilege';
     END $$`,
    `CREATE TRIGGER keep_rows BEFORE UPDATE OR DELETE ON ken.audit_log
       FOR EACH ROW EXECUTE FUNCTION ken.keep_audit_log()`,
    `CREATE TRIGGER keep_table BEFORE TRUNCATE ON ken.audit_log
       FOR EACH STATEMENT EXECUTE FUNCTION ken.keep_audit_log()`,
  ],
}
