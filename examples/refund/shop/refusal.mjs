/** A "no" of the shop: nothing was done for this request, and `committed: false` says so to whoever asked. */
export class Refusal extends Error {
  constructor(status, code, message, details = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.details = details;
  }

  get body() {
    return { error: { code: this.code, message: this.message, committed: false, ...this.details } };
  }
}
