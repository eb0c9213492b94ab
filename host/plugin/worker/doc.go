// Package worker runs plugins in processes that can be killed.
//
// A guest cannot be stopped from inside its process (see package sandbox), so the parent holds the deadlines, watches the memory and
// kills. A worker is the same binary called with a hidden verb; it has an empty environment, the root as its directory, and
// three pipes. The life of a job:
//
//  1. Pool.Do waits for a worker of the pool, one that has loaded the plugin if there is one.
//  2. A plugin that no worker has loaded yet is loaded by one, under the compile deadline, while its other jobs wait. If that
//     fails, they fail as well.
//  3. The job's payload goes to the worker, which gives it to its Examine function, under the instance deadline.
//  4. The answer comes back, or the worker is dead: then the job has failed, and the next one starts a new worker.
//
// Frames are a type, a length and fields. The parent treats what it reads as hostile; the worker trusts its parent.
package worker
