/**
 * `reach` changes with every project and membership of an organisation, so that a replica knows whether the projects
 * that it has read for a person are still those. It is random, because a counter would repeat itself after a restore.
 */
export const reach = {
  name: 'reach',
  statements: () => [
    'ALTER TABLE ken.organisations ADD COLUMN reach uuid NOT NULL DEFAULT gen_random_uuid()',
    `CREATE FUNCTION ken.project_moved() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF TG_OP <> 'INSERT' THEN
         UPDATE ken.organisations SET reach = gen_random_uuid() WHERE id = OLD.organisation;
       END IF;
       IF TG_OP <> 'DELETE' THEN
         UPDATE ken.organisations SET reach = gen_random_uuid() WHERE id = NEW.organisation;
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE FUNCTION ken.member_moved() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       UPDATE ken.organisations SET reach = gen_random_uuid() WHERE id IN (
         SELECT organisation FROM ken.projects WHERE id = ANY (ARRAY[
           CASE WHEN TG_OP <> 'INSERT' THEN OLD.project END, CASE WHEN TG_OP <> 'DELETE' THEN NEW.project END]));
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER reach AFTER INSERT OR UPDATE OR DELETE ON ken.projects
       FOR EACH ROW EXECUTE FUNCTION ken.project_moved()`,
    `CREATE TRIGGER reach AFTER INSERT OR UPDATE OR DELETE ON ken.members
       FOR EACH ROW EXECUTE FUNCTION ken.member_moved()`,
  ],
}
