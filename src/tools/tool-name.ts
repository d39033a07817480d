/** Names that every model's API takes. */
export const toolNamePattern = /^[A-Za-z0-9_-]{1,64}$/;
