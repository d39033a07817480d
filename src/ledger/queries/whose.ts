/** What a question about waiting things is about: a tenant, or one attempt of it by its key. */
export interface Whose {
  readonly tenant: string;
  readonly attempt?: number;
}
