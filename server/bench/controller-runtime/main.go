// The Go side of `npm run bench -- runtime`: a controller for ConfigMaps on controller-runtime.
// It answers commands on stdin with one JSON line each; ../processes/controller-contender.ts does the same.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const namespace = "bench"

type reconciler struct {
	client client.Client
	done   atomic.Int64
	ran    chan string
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var object corev1.ConfigMap
	if err := r.client.Get(ctx, request.NamespacedName, &object); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if note := object.Annotations["bench/note"]; note != "" {
		select {
		case r.ran <- note:
		default:
		}
	}
	r.done.Add(1)
	return ctrl.Result{}, nil
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	log.SetLogger(zap.New(zap.WriteTo(os.Stderr)))
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	must(err)
	// Without client-side throttling, which would delay every PATCH of this benchmark.
	config.QPS = -1
	manager, err := ctrl.NewManager(config, ctrl.Options{Metrics: metrics.Options{BindAddress: "0"}})
	must(err)
	r := &reconciler{client: manager.GetClient(), ran: make(chan string, 1024)}
	events := make(chan event.GenericEvent, 1024)
	must(ctrl.NewControllerManagedBy(manager).
		For(&corev1.ConfigMap{}).
		WatchesRawSource(source.Channel(events, &handler.EnqueueRequestForObject{})).
		Complete(r))
	ctx := ctrl.SetupSignalHandler()
	go func() { must(manager.Start(ctx)); os.Exit(0) }()

	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		count, err := strconv.Atoi(words[1])
		must(err)
		switch words[0] {
		case "sync":
			for r.done.Load() < int64(count) {
				time.Sleep(20 * time.Millisecond)
			}
			answer(map[string]any{"done": r.done.Load()})
		case "patch":
			answer(map[string]any{"times": patch(ctx, r, count)})
		case "reconcile":
			var list corev1.ConfigMapList
			must(r.client.List(ctx, &list, client.InNamespace(namespace)))
			target := r.done.Load() + int64(count*len(list.Items))
			for round := 0; round < count; round++ {
				from := r.done.Load()
				for i := range list.Items {
					events <- event.GenericEvent{Object: &list.Items[i]}
				}
				for r.done.Load() < from+int64(len(list.Items)) {
					time.Sleep(2 * time.Millisecond)
				}
			}
			answer(map[string]any{"done": r.done.Load() - target + int64(count*len(list.Items))})
		}
	}
}

// patch answers with the milliseconds from sending each PATCH to the reconcile that sees it.
func patch(ctx context.Context, r *reconciler, count int) []float64 {
	var times []float64
	for i := 0; i < count; i++ {
		note := fmt.Sprintf("%d-%d", time.Now().UnixNano(), i)
		object := &corev1.ConfigMap{}
		object.Namespace, object.Name = namespace, fmt.Sprintf("map-%d", i)
		body := fmt.Sprintf(`{"metadata":{"annotations":{"bench/note":%q}}}`, note)
		start := time.Now()
		must(r.client.Patch(ctx, object, client.RawPatch(types.MergePatchType, []byte(body))))
		for seen := ""; seen != note; {
			seen = <-r.ran
		}
		times = append(times, float64(time.Since(start).Microseconds())/1000)
	}
	sort.Float64s(times)
	return times
}

func answer(value map[string]any) {
	text, err := json.Marshal(value)
	must(err)
	fmt.Println(string(text))
}
