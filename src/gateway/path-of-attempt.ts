const attemptInPath = /^(\/v1\/attempts\/[^/?]+)\/(\d+)(?=[/?]|$)/;

/** An attempt's id has a slash: `/v1/attempts/refund-1042/1/events` is taken for `/v1/attempts/refund-1042%2F1/events`. */
export const withWholeId = (url: string): string => url.replace(attemptInPath, '$1%2F$2');
