/** Attempts below a root: deeper, nobody can tell any more who asked for what, and each level halves the budget. */
export const childDepthMax = 3;
/** Descendants of one root that run at once: a model that delegates without end is stopped before it fills the workers. */
export const liveChildrenMax = 50;
