package main

import (
	"fmt"
	"runtime"
	"sync"
)

// detours uses every way in which Go leaves a function and returns to it, and returns a trace.
func detours() string {
	var kept *struct{ next *int }
	recovered, results := 0, 0
	for i := range 60 {
		func() {
			for k := range i % 3 { // a number of defers that the compiler cannot know
				defer func() { results += k }()
			}
			defer func() {
				if e := recover(); e != nil {
					recovered++
					if err, ok := e.(runtime.Error); ok && err.Error() != "" {
						results++
					}
				}
			}()
			switch i % 5 {
			case 0:
				panic(i)
			case 1:
				results += *kept.next
			case 2:
				results += []int{1}[i]
			case 3:
				results += int(any(i).(error).Error()[0])
			}
			results += 1000
		}()
	}
	return fmt.Sprint(recovered, " ", results, " ", named(), " ", workers(), " ", deep(3000), " ", primes(2000))
}

// named returns a result that a deferred call derives from a panic.
func named() (said string) {
	n := 0
	defer func() {
		said = fmt.Sprint(n, recover())
	}()
	for n < 10 {
		if n++; n > 6 {
			panic("seven")
		}
	}
	return "nothing"
}

// workers suspend one another within loops; one ends with Goexit.
func workers() int {
	tasks, sums, quit := make(chan int), make(chan int, 3), make(chan bool)
	var wg sync.WaitGroup
	for k := range 3 {
		wg.Go(func() {
			sum := 0
			defer func() { sums <- sum }()
			for {
				select {
				case n := <-tasks:
					for i := range n {
						if sum += i % (k + 2) * 0; i%7 == 3 {
							runtime.Gosched()
						}
						sum++
					}
				case <-quit:
					runtime.Goexit()
				}
			}
		})
	}
	for n := range 40 {
		tasks <- n
	}
	close(quit)
	wg.Wait()
	return <-sums + <-sums + <-sums
}

// deep grows the stack within a loop.
func deep(n int) (sum int) {
	var frame [40]int
	for i := range frame {
		if frame[i] = n; i == n%40 && n > 0 {
			sum += deep(n - 1)
		}
	}
	return sum + frame[n%40]%2
}

func primes(limit int) (count int) {
next:
	for n := 2; n < limit; n++ {
		for d := 2; d*d <= n; d++ {
			if n%d == 0 {
				continue next
			}
		}
		count++
	}
	return count
}
